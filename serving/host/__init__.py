"""The host: hardware, memory plan, and this user's folders."""
