<?php
// Takes the place of Debian's own in the unpacked tree; what differs between sites comes from the environment.
define( 'DB_NAME', getenv( 'SITE_DATABASE' ) );
define( 'DB_USER', 'wordpress' );
define( 'DB_PASSWORD', 'wordpress' );
define( 'DB_HOST', 'localhost:' . getenv( 'SITE_SOCKET' ) );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
foreach ( array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' ) as $name ) {
	define( $name, 'tests-only-' . $name );
}
$table_prefix = 'wp_';
define( 'WP_HOME', getenv( 'SITE_URL' ) );
define( 'WP_SITEURL', getenv( 'SITE_URL' ) );
define( 'WP_CONTENT_DIR', getenv( 'SITE_CONTENT' ) );
define( 'WP_CONTENT_URL', getenv( 'SITE_URL' ) . '/wp-content' );
define( 'WP_ENVIRONMENT_TYPE', 'local' ); // application passwords without TLS
define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'MEDIA_TRASH', true ); // a site may have switched it on
define( 'FS_METHOD', 'direct' );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', getenv( 'SITE_CONTENT' ) . '/debug.log' );
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
