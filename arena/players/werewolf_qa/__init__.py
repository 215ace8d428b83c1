"""The player `werewolf-qa`: ten predefined questions, and answers that are reflected upon."""
