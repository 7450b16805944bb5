'use strict';

module.exports = (ctx) => ctx.request.query.status === 'draft';
