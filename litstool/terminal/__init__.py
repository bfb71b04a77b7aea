"""What people see and type: streams, screens, progress, answers printed as they come."""
