'use strict';

const { errors } = require('@strapi/utils');
const { MARKER, markerOf, refuse } = require('./answers');
const { isTaken } = require('./indexes');
const { declared } = require('./types');

// Each handler is one transaction, and knows drafts alone: there is no way to publish through it.
module.exports = ({ strapi }) => ({
  async create(ctx) {
    const known = typeOf(ctx);
    const marker = markerOf(ctx.params);
    const data = { ...(await contentOf(ctx, known)), [known.field]: marker };
    const locale = await localeOf(ctx, known);
    // in another language too, which the index would let through: an editor's translation has the marker there
    const there = await marked(known, marker);
    if (there) return refuse(ctx, 'already-exists', named(there));
    try {
      const made = await strapi.db.transaction(() =>
        strapi.documents(known.uid).create({ data, locale, status: 'draft' })
      );
      ctx.status = 201;
      ctx.body = { data: shown(made, known) };
    } catch (error) {
      if (!isTaken(error)) throw error;
      const row = await marked(known, marker);
      if (!row) throw error; // another unique column, not ours
      refuse(ctx, 'already-exists', named(row));
    }
  },

  async update(ctx) {
    const known = typeOf(ctx);
    const marker = markerOf(ctx.request.body);
    const { version } = ctx.request.body;
    const content = await contentOf(ctx, known);
    await strapi.db.transaction(async ({ trx }) => {
      // who saves this draft meanwhile waits for us, or we for them
      const row = await rowsOf(known)
        .where({ document_id: ctx.params.id, [column(known, known.field)]: marker })
        .transacting(trx)
        .forUpdate()
        .first();
      if (!row) throw new errors.NotFoundError('No draft with this ID and marker', { code: 'original-gone' });
      if (moment(row.updated_at) !== version) return refuse(ctx, 'changed-meanwhile', named(row));
      const live = await tableOf(known)
        .where({ document_id: row.document_id, locale: row.locale })
        .whereNotNull('published_at')
        .transacting(trx)
        .first();
      if (live) return refuse(ctx, 'original-published', named(row));
      const made = await strapi.documents(known.uid).update({
        documentId: ctx.params.id,
        locale: row.locale ?? undefined,
        data: content,
        status: 'draft',
      });
      ctx.body = { data: shown(made, known) };
    });
  },

  // Only what carries a marker and was never published; people delete everything else.
  async remove(ctx) {
    const known = typeOf(ctx);
    await strapi.db.transaction(async ({ trx }) => {
      const rows = await tableOf(known).where('document_id', ctx.params.id).transacting(trx).forUpdate();
      if (!rows.length) throw new errors.NotFoundError('No draft with this ID', { code: 'original-gone' });
      const ours = rows.every((row) => MARKER.test(row[column(known, known.field)] ?? '') && !row.published_at);
      if (!ours) return refuse(ctx, 'not-removable', named(rows[0]));
      await strapi.documents(known.uid).delete({ documentId: ctx.params.id, locale: '*' });
      ctx.body = { data: { documentId: ctx.params.id } };
    });
  },
});

function typeOf(ctx) {
  const known = declared(strapi, ctx.params.type);
  if (!known) throw new errors.NotFoundError('This type is not set up for ONCE', { code: 'type-not-ready' });
  return known;
}

// What the account may write of what it sent. Neither the marker nor anything that publishes is content.
async function contentOf(ctx, { type, field }) {
  const sent = ctx.request.body?.data;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw new errors.ValidationError('Missing "data"', { code: 'no-data' });
  }
  const { [field]: _marker, publishedAt: _publishedAt, status: _status, ...data } = sent;
  await strapi.contentAPI.validate.input(data, type, { auth: ctx.state.auth });
  return strapi.contentAPI.sanitize.input(data, type, { auth: ctx.state.auth });
}

async function localeOf(ctx, { localized }) {
  const { locale } = ctx.query;
  if (!localized || locale === undefined) return undefined;
  const there = await strapi.plugin('i18n').service('locales').findByCode(String(locale));
  if (!there) throw new errors.ValidationError('The site has no such locale', { code: 'no-such-locale' });
  return there.code;
}

const tableOf = ({ uid }) => strapi.db.getConnection(strapi.db.metadata.get(uid).tableName);
const rowsOf = (known) => tableOf(known).whereNull('published_at');
const marked = (known, marker) => rowsOf(known).where(column(known, known.field), marker).first();
const column = ({ uid }, field) => strapi.db.metadata.get(uid).attributes[field].columnName;
const named = (row) => ({ documentId: row.document_id, locale: row.locale ?? null });
const moment = (value) => new Date(value).toISOString();

function shown(made, { field }) {
  const { id, documentId, locale, createdAt, updatedAt, publishedAt, title } = made;
  return { id, documentId, locale, createdAt, updatedAt, publishedAt, title, [field]: made[field] };
}
