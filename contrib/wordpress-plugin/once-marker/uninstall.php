<?php
/**
 * Takes the column and its index away. The markers stay in the GUIDs: installed again, the plugin knows them all.
 *
 * @package OnceDelivery\Marker
 */

if ( ! defined( 'WP_UNINSTALL_PLUGIN' ) ) {
	exit;
}

global $wpdb;
// phpcs:ignore WordPress.DB
if ( $wpdb->get_var( "SHOW COLUMNS FROM {$wpdb->posts} LIKE 'once_marker'" ) ) {
	$wpdb->query( "ALTER TABLE {$wpdb->posts} DROP KEY once_marker, DROP COLUMN once_marker" ); // phpcs:ignore WordPress.DB
}
