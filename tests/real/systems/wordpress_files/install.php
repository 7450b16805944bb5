<?php
// php install.php [PLUGIN]: installs one site, makes its accounts and prints them as JSON.
define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST']       = parse_url( getenv( 'SITE_URL' ), PHP_URL_HOST ) . ':' . parse_url( getenv( 'SITE_URL' ), PHP_URL_PORT );
$_SERVER['REQUEST_URI']     = '/';
$_SERVER['REQUEST_METHOD']  = 'GET';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
function wp_new_blog_notification() {} // no mail
require getenv( 'SITE_TREE' ) . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
add_filter( 'pre_wp_mail', '__return_true' );

$made = wp_install( 'A test site', 'admin', 'admin@example.test', false, '', wp_generate_password( 24, false ) );
update_option( 'permalink_structure', '/%postname%/' );
update_option( 'timezone_string', 'Europe/Berlin' ); // a site's own time is not UTC
$users = array(
	'admin'    => 'administrator',
	'editor'   => 'editor',
	'delivery' => 'contributor',
	'other'    => 'contributor',
	'media'    => 'author',
	'reader'   => 'subscriber',
);
$passwords = array();
foreach ( $users as $login => $role ) {
	$id = 'admin' === $login ? $made['user_id'] : wp_insert_user(
		array(
			'user_login' => $login,
			'user_pass'  => wp_generate_password( 24, false ),
			'user_email' => "$login@example.test",
			'role'       => $role,
		)
	);
	list( $passwords[ $login ] ) = WP_Application_Passwords::create_new_application_password( $id, array( 'name' => 'ONCE' ) );
}
if ( isset( $argv[1] ) ) {
	$problem = activate_plugin( $argv[1] );
	if ( is_wp_error( $problem ) ) {
		fwrite( STDERR, $problem->get_error_message() );
		exit( 1 );
	}
}
echo wp_json_encode( array( 'version' => $GLOBALS['wp_version'], 'passwords' => $passwords ) );
