"""The explorer: pages, a report file and figures that show how the documents of a domain are put together."""
