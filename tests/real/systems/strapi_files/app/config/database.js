// "host" is the folder of PostgreSQL's socket
module.exports = ({ env }) => ({
  connection: {
    client: 'postgres',
    connection: {
      host: env('PGHOST'),
      port: env.int('PGPORT'),
      user: env('PGUSER'),
      database: env('PGDATABASE'),
    },
    pool: { min: 2, max: 10 },
  },
});
