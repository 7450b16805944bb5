DROP FUNCTION once_span(bigint, timestamptz, timestamptz);
