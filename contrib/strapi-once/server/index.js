'use strict';

const drafts = require('./drafts');
const files = require('./files');
const status = require('./status');
const { checkTypes, makeIndexes } = require('./indexes');

const route = (method, path, handler) => ({ method, path, handler, config: { policies: [] } });

module.exports = {
  config: {
    // by content type: the field that carries the marker
    default: { types: {} },
    validator: checkTypes,
  },
  async bootstrap({ strapi }) {
    await makeIndexes(strapi);
  },
  controllers: { drafts, files, status },
  routes: {
    'content-api': {
      type: 'content-api',
      routes: [
        route('GET', '/status', 'status.read'),
        route('PUT', '/drafts/:type/:marker', 'drafts.create'),
        route('PATCH', '/drafts/:type/:id', 'drafts.update'),
        route('PUT', '/files/:marker', 'files.create'),
        route('DELETE', '/drafts/:type/:id', 'drafts.remove'),
      ],
    },
  },
};
