"""Questions on a world, with their correct options and near and far distractors."""
