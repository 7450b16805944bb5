<?php
/**
 * Where the marker is kept: in the GUID of the post, written by the very INSERT that makes the post. A generated column
 * takes it out of there, and a unique index on that column lets the database refuse a second post of the same marker.
 * There is no moment at which one is there without the other, and nothing to repair after a crash.
 *
 * @package OnceDelivery\Marker
 */

namespace OnceDelivery\Marker;

/** Adds the column and its index; does nothing where they are. */
function add_column() {
	global $wpdb;
	if ( is_ready() ) {
		return;
	}
	$length = strlen( PREFIX );
	// phpcs:ignore WordPress.DB -- a table's name cannot be a parameter; the rest is constant
	$wpdb->query(
		"ALTER TABLE {$wpdb->posts}
			ADD COLUMN once_marker VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin
				GENERATED ALWAYS AS (IF(LEFT(guid, $length) = '" . PREFIX . "', SUBSTRING(guid, $length + 1), NULL)) VIRTUAL,
			ADD UNIQUE KEY once_marker (once_marker)"
	);
}

/** Whether the database refuses a second post of one marker, now. */
function is_ready() {
	global $wpdb;
	$old   = $wpdb->suppress_errors();
	$index = $wpdb->get_row( "SHOW INDEX FROM {$wpdb->posts} WHERE Key_name = 'once_marker' AND Non_unique = 0" ); // phpcs:ignore WordPress.DB
	$wpdb->suppress_errors( $old );
	return null !== $index;
}

/** The ID of the post with this marker, in whatever status; 0 when there is none. */
function find( $marker ) {
	global $wpdb;
	return (int) $wpdb->get_var( $wpdb->prepare( "SELECT ID FROM {$wpdb->posts} WHERE once_marker = %s", $marker ) ); // phpcs:ignore WordPress.DB
}

/** The marker of a post, or null. */
function marker_of( $post_id ) {
	$guid = (string) get_post_field( 'guid', $post_id, 'raw' );
	return 0 === strpos( $guid, PREFIX ) ? substr( $guid, strlen( PREFIX ) ) : null;
}
