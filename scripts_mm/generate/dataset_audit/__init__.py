"""The trial of the generator: thousands of cases made, and what is even about them measured."""
