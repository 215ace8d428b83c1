"""Support for the container image of `Dockerfile.gpu`: health check, Apptainer recipe, replay."""
