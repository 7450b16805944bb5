"""The comparison of an audit, in SQL: a hundred thousand objects never come into memory."""

from __future__ import annotations

# Every object of ours by the shape of its marker; one row a marker.
_OURS = """
ours AS (
    SELECT marker, count(*) AS many, bool_and(trashed) AS trashed, min(result_id) AS first_id,
           array_agg(result_id ORDER BY result_id) AS ids
    FROM reconciliation_auditedobject WHERE audit_id = %(audit)s AND marker ~ '^once-[a-z2-7]{26}$'
    GROUP BY marker
)
"""

# Presence of confirmed actions; "missing" only by a complete audit, and never of what was confirmed while it ran.
PRESENCE = f"""
WITH {_OURS}, seen AS (
    SELECT a.id, CASE
        WHEN o.many > 1 THEN 'duplicate'
        WHEN o.many = 1 AND a.result_id = o.first_id THEN CASE WHEN o.trashed THEN 'trashed' ELSE 'present' END
        WHEN o.many = 1 THEN 'missing'
        WHEN EXISTS (SELECT 1 FROM reconciliation_auditedobject x
                     WHERE x.audit_id = %(audit)s AND x.kind = a.kind AND x.result_id = a.result_id) THEN 'changed'
        WHEN %(complete)s THEN 'missing'
    END AS presence
    FROM ledger_action a LEFT JOIN ours o ON o.marker = a.marker
    WHERE a.target_id = %(target)s AND a.state = 'confirmed' AND a.confirmed_at < %(started)s
      AND a.kind = ANY(%(kinds)s)
)
UPDATE ledger_action a SET presence = s.presence, checked_at = clock_timestamp()
FROM seen s WHERE a.id = s.id AND s.presence IS NOT NULL
  AND NOT (a.presence = 'duplicate' AND s.presence = 'present')
"""  # noqa: S608 - no value is formatted in

# What is not as it should be becomes a finding, once.
FINDINGS = f"""
WITH {_OURS}
INSERT INTO reconciliation_finding (uuid, project_id, target_id, action_id, audit_id, kind, marker, evidence, found_at)
SELECT gen_random_uuid(), a.project_id, a.target_id, a.id, %(audit)s, a.presence, a.marker,
       jsonb_build_object('result_id', a.result_id, 'held', coalesce(to_jsonb(o.ids), '[]')), clock_timestamp()
FROM ledger_action a LEFT JOIN ours o ON o.marker = a.marker
WHERE a.target_id = %(target)s AND a.state = 'confirmed' AND a.confirmed_at < %(started)s
  AND a.kind = ANY(%(kinds)s) AND a.presence IN ('duplicate', 'missing', 'trashed', 'changed')
ON CONFLICT (target_id, marker, kind) DO NOTHING
"""  # noqa: S608

# Ours by its marker, and the ledger knows nothing of it: a restored backup, or another installation.
ORPHANS = f"""
WITH {_OURS}
INSERT INTO reconciliation_finding (uuid, project_id, target_id, action_id, audit_id, kind, marker, evidence, found_at)
SELECT gen_random_uuid(), %(project)s, %(target)s, NULL, %(audit)s, 'orphan', o.marker,
       jsonb_build_object('held', to_jsonb(o.ids)), clock_timestamp()
FROM ours o
WHERE NOT EXISTS (SELECT 1 FROM ledger_action a WHERE a.target_id = %(target)s AND a.marker = o.marker)
ON CONFLICT (target_id, marker, kind) DO NOTHING
"""  # noqa: S608

# An open question whose object was seen: the look-up need not wait.
LOOK_NOW = """
UPDATE ledger_action a SET next_step = 'look_up', next_step_at = clock_timestamp()
WHERE a.target_id = %(target)s AND a.state IN ('uncertain', 'reconcile') AND EXISTS (
    SELECT 1 FROM reconciliation_auditedobject x WHERE x.audit_id = %(audit)s AND x.marker = a.marker)
"""

COUNTS = f"""
WITH {_OURS}
SELECT jsonb_build_object(
    'objects', (SELECT count(*) FROM reconciliation_auditedobject WHERE audit_id = %(audit)s),
    'ours', (SELECT count(*) FROM ours),
    'strangers', (SELECT count(*) FROM reconciliation_auditedobject
                  WHERE audit_id = %(audit)s AND marker !~ '^once-[a-z2-7]{{26}}$'),
    'matched', (SELECT count(*) FROM ledger_action a JOIN ours o ON o.marker = a.marker
                WHERE a.target_id = %(target)s AND a.state = 'confirmed' AND o.many = 1
                  AND o.first_id = a.result_id AND NOT o.trashed),
    'findings', (SELECT coalesce(jsonb_object_agg(kind, many), '{{}}') FROM (
        SELECT kind, count(*) AS many FROM reconciliation_finding WHERE audit_id = %(audit)s GROUP BY kind) f)
)
"""  # noqa: S608
