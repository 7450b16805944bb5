'use strict';

const { errors } = require('@strapi/utils');
const { markerOf, refuse } = require('./answers');
const { FILE, faultOf, isTaken } = require('./indexes');

// An upload as Strapi does it, with the marker for its name, so that the index sees it.
module.exports = ({ strapi }) => ({
  async create(ctx) {
    const marker = markerOf(ctx.params);
    if (faultOf(FILE)) throw new errors.NotFoundError('Files are not set up for ONCE', { code: 'type-not-ready' });
    const there = await withMarker(marker);
    if (there) return refuse(ctx, 'already-exists', there); // before its bytes are stored a second time
    name(ctx.request, marker);
    try {
      await strapi.plugin('upload').controller('content-api').uploadFiles(ctx);
    } catch (error) {
      const winner = isTaken(error) && (await withMarker(marker));
      if (!winner) throw error; // another unique index: the first uploads of a site race for Strapi's own folder
      refuse(ctx, 'already-exists', winner);
    }
  },
});

async function withMarker(marker) {
  const hash = { $startsWith: `${marker.replace('-', '_')}_` };
  const file = await strapi.db.query(FILE).findOne({ where: { hash }, select: ['id'] });
  return file ? { id: file.id } : null;
}

function name(request, marker) {
  const file = request.files?.files;
  if (!file || Array.isArray(file)) throw new errors.ValidationError('One file is needed', { code: 'no-file' });
  const [ending] = /\.[a-z0-9]{1,8}$/i.exec(file.originalFilename ?? '') ?? [''];
  let info = {};
  try {
    info = JSON.parse(request.body?.fileInfo ?? '{}');
  } catch {
    throw new errors.ValidationError('fileInfo is not JSON', { code: 'bad-file-info' });
  }
  request.body = { fileInfo: JSON.stringify({ ...info, name: `${marker}${ending.toLowerCase()}` }) };
}
