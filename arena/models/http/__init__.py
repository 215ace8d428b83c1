"""HTTP side of a served model: address, transport, responses, and the server's reports."""
