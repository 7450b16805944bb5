'use strict';

const MARKER = /^once-[a-z2-7]{26}$/;

// In the form of Strapi's own errors; what is there already is named, so that it can be looked at.
function refuse(ctx, code, what) {
  ctx.status = 409;
  ctx.body = {
    data: null,
    error: { status: 409, name: 'ConflictError', message: code, details: { code, ...what } },
  };
}

module.exports = { MARKER, refuse };
