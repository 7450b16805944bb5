DROP FUNCTION once_probe_keeps() CASCADE;
