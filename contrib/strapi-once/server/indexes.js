'use strict';

// One draft row for a marker and a language. A published document has a published row beside its draft row, both with the
// marker; a type without languages has NULL as its locale, and NULLs are never equal: hence the expression.
const DRAFTS =
  "CREATE UNIQUE INDEX IF NOT EXISTS ?? ON ?? (??, (COALESCE(locale, ''))) WHERE published_at IS NULL";
// Strapi makes a file's hash of the name that it was uploaded with, and keeps it whatever an editor does to the name.
const FILES =
  'CREATE UNIQUE INDEX IF NOT EXISTS ?? ON ?? (substr(hash, 1, 32)) ' +
  "WHERE substr(hash, 1, 5) = 'once_' AND substr(hash, 32, 1) = '_'";
const FILE = 'plugin::upload.file';
const LONGEST_NAME = 63;

// by uid of a content type, and by FILE: '' when its index is there, else why not
const faults = new Map();

function checkTypes(config) {
  for (const [uid, field] of Object.entries(config.types)) {
    if (!uid.startsWith('api::') || typeof field !== 'string') {
      throw new Error(`once: "types" maps a content type to a field, as in { 'api::article.article': 'external_ref' }`);
    }
  }
}

async function makeIndexes(strapi) {
  for (const [uid, field] of Object.entries(strapi.plugin('once').config('types'))) {
    const fault = whyNot(strapi, uid, field);
    faults.set(uid, fault || (await make(strapi, DRAFTS, uid, field)));
  }
  faults.set(FILE, await make(strapi, FILES, FILE));
  for (const [uid, fault] of faults) {
    if (fault) strapi.log.error(`once: ${uid} is not protected: ${fault}`);
  }
}

function whyNot(strapi, uid, field) {
  const type = strapi.contentTypes[uid];
  if (!type || type.kind !== 'collectionType') return 'no-such-type';
  if (!type.options?.draftAndPublish) return 'no-drafts';
  return type.attributes[field]?.type === 'string' ? '' : 'no-marker-field';
}

async function make(strapi, statement, uid, field) {
  if (!['postgres', 'sqlite'].includes(strapi.db.dialect.client)) return 'database-not-supported';
  const { tableName, attributes } = strapi.db.metadata.get(uid);
  const columns = field ? [attributes[field].columnName] : [];
  const name = `once_${[tableName, ...columns].join('_')}`.slice(0, LONGEST_NAME);
  try {
    const schema = strapi.db.getSchemaName();
    const table = schema ? `${schema}.${tableName}` : tableName;
    await strapi.db.connection.raw(statement, [name, table, ...columns]);
    return '';
  } catch (error) {
    strapi.log.error(`once: ${error.message}`);
    return isTaken(error) ? 'duplicates' : 'index-refused';
  }
}

// whether the database refused a second row
function isTaken(error) {
  return error?.code === '23505' || String(error?.code).startsWith('SQLITE_CONSTRAINT');
}

const faultOf = (uid) => faults.get(uid) ?? 'not-configured';

module.exports = { FILE, checkTypes, faultOf, isTaken, makeIndexes };
