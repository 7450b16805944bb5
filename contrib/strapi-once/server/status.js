'use strict';

const { version } = require('../package.json');
const { FILE, faultOf } = require('./indexes');

const API = 1; // raised when a connector must know the difference

module.exports = ({ strapi }) => ({
  async read(ctx) {
    const types = {};
    for (const [uid, field] of Object.entries(strapi.plugin('once').config('types'))) {
      const name = strapi.contentTypes[uid]?.info.pluralName ?? uid;
      const fields = Object.keys(strapi.contentTypes[uid]?.attributes ?? {});
      types[name] = { marker: field, ready: !faultOf(uid), fault: faultOf(uid), fields };
    }
    ctx.body = { api: API, version, types, files: { ready: !faultOf(FILE), fault: faultOf(FILE) } };
  },
});
