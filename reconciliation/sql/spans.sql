-- A span of time of one target as one range of numbers: the target, then seconds (2^36 of them are two thousand years).
-- Rounded outwards: who asks by it asks for the times themselves as well.
CREATE FUNCTION once_span(target bigint, begins timestamptz, ends timestamptz) RETURNS int8range
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT int8range(
        (target << 36) + floor(extract(epoch FROM begins AT TIME ZONE 'UTC'))::bigint,
        CASE WHEN ends IS NULL THEN (target + 1) << 36
             ELSE (target << 36) + floor(extract(epoch FROM greatest(begins, ends) AT TIME ZONE 'UTC'))::bigint + 1 END
    )
$$;
