"""The container image beside `Dockerfile.gpu`: health check, Apptainer recipe, rehearsals."""
