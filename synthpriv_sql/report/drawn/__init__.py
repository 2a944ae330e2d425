"""The charts of the page, drawn from the specifications of report/charts/."""
