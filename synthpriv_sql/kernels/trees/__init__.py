"""Trees for two classes, on few records: what scikit-learn spends around each tree took longer than the tree itself."""
