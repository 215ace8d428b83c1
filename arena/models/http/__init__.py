"""HTTP side of a served model: address, transport, responses, and what the server reports."""
