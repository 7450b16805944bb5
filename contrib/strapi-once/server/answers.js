'use strict';

const { errors } = require('@strapi/utils');

const MARKER = /^once-[a-z2-7]{26}$/;

function markerOf(sent) {
  if (typeof sent?.marker === 'string' && MARKER.test(sent.marker)) return sent.marker;
  throw new errors.ValidationError('This is not a marker', { code: 'bad-marker' });
}

// In the form of Strapi's own errors; what is there already is named, so that it can be looked at.
function refuse(ctx, code, what) {
  ctx.status = 409;
  ctx.body = {
    data: null,
    error: { status: 409, name: 'ConflictError', message: code, details: { code, ...what } },
  };
}

module.exports = { MARKER, markerOf, refuse };
