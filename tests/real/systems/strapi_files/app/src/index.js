'use strict';

const fs = require('fs');

const DRAFTS = ['article', 'leaflet', 'story', 'memo', 'entry'];
const on = (type, ...verbs) => verbs.map((verb) => `api::${type}.${type}.${verb}`);
const reading = [
  ...DRAFTS.flatMap((type) => on(type, 'find', 'findOne')),
  'plugin::upload.content-api.find',
  'plugin::upload.content-api.findOne',
  'plugin::i18n.locales.listLocales',
];
const uploading = 'plugin::upload.content-api.upload';
const once = ['status.read', 'drafts.create', 'drafts.update', 'drafts.remove', 'files.create'].map((verb) => `plugin::once.${verb}`);

const TOKENS = {
  // through the plugin: it can write in no other way
  plugged: [...reading, ...once],
  // as Strapi comes
  plain: [...reading, uploading, ...DRAFTS.flatMap((type) => on(type, 'create', 'update', 'delete'))],
  // may write and not read
  blind: [uploading, ...once, ...DRAFTS.flatMap((type) => on(type, 'create'))],
};

module.exports = {
  register() {},
  async bootstrap({ strapi }) {
    if (fs.existsSync(process.env.TOKENS)) return; // started again
    const locales = strapi.plugin('i18n').service('locales');
    for (const [code, name] of [['de', 'German (de)'], ['fr', 'French (fr)']]) {
      if (!(await locales.findByCode(code))) await locales.create({ code, name });
    }
    const role = await strapi.service('admin::role').getSuperAdmin();
    await strapi.service('admin::user').create({
      email: 'editor@example.com',
      firstname: 'E',
      password: 'For-tests-0nly',
      registrationToken: null,
      isActive: true,
      roles: [role.id],
    });
    const tokens = {};
    for (const [name, permissions] of Object.entries(TOKENS)) {
      const token = { name, description: '', type: 'custom', lifespan: null, permissions };
      tokens[name] = (await strapi.service('admin::api-token').create(token)).accessKey;
    }
    fs.writeFileSync(process.env.TOKENS, JSON.stringify(tokens));
  },
};
