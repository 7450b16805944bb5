'use strict';

const { faultOf } = require('./indexes');

// The content type of an address ("articles"), or null when nobody has configured it or its index is missing.
function declared(strapi, plural) {
  for (const [uid, field] of Object.entries(strapi.plugin('once').config('types'))) {
    const type = strapi.contentTypes[uid];
    if (type?.info.pluralName === plural && !faultOf(uid)) {
      return { uid, field, type, localized: type.pluginOptions?.i18n?.localized === true };
    }
  }
  return null;
}

module.exports = { declared };
