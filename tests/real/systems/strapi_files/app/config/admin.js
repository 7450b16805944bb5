// no panel: the people in these tests use its API
module.exports = () => ({
  auth: { secret: 'for-tests-only-0123456789' },
  apiToken: { salt: 'for-tests-only-0123456789' },
  transfer: { token: { salt: 'for-tests-only-0123456789' } },
  secrets: { encryptionKey: '0123456789abcdef0123456789abcdef' },
  serveAdminPanel: false,
  flags: { nps: false, promoteEE: false },
});
