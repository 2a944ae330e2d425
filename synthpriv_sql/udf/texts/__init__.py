"""What is asked about texts that come back as they are or nearly: values and runs of words, copies, and records."""
