"""The languages of people: sentences come from one catalog, numbers and dates are written as a language writes them."""
