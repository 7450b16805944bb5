module.exports = ({ env }) => ({
  host: '127.0.0.1',
  port: env.int('PORT'),
  app: { keys: ['for-tests-only-0123456789', 'for-tests-only-9876543210'] },
  logger: { updates: { enabled: false } },
});
