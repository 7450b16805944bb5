const types = {
  'api::article.article': 'external_ref',
  'api::leaflet.leaflet': 'external_ref',
  // wrong: it has no drafts
  'api::entry.entry': 'external_ref',
};

module.exports = () => ({
  once: { enabled: true, resolve: './src/plugins/once', config: { types } },
});
