'use strict';

const { createStrapi } = require('@strapi/strapi');

process.chdir(__dirname);
createStrapi({ appDir: __dirname, distDir: __dirname }).start();
