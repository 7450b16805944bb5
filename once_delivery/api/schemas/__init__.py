"""What is sent and what is answered: the shapes of the API, strict in what they take."""
