"""What the headers of sql/ declare: functions, parameters and options, and how arguments are checked against them."""
