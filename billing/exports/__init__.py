"""Reports as files: CSV for Excel, CSV for systems, XLSX. Rows stream from the database to the file."""
