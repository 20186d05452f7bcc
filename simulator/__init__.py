"""Tables made of real bytes, with players of different habits."""
