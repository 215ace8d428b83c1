"""The player `werewolf-qa`: ten predefined questions, and answers after reflection."""
