"""trundle: rigid bodies that slide, roll and spin against each other."""
