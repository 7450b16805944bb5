<?php
/**
 * Update a draft, if nobody has changed it since.
 *
 * @package OnceDelivery\Marker
 */

namespace OnceDelivery\Marker;

/** What an update may not change; the status stays what it is. */
const NOT_UPDATED = array( 'id', 'status', 'slug', 'date', 'date_gmt', 'author', 'password', 'sticky' );

/** Of a row of the posts table: another one after every change that a reader or an editor could notice. */
const VERSION_OF_ROW = 'SHA1(CONCAT_WS(CHAR(0), post_modified, post_status, post_name, post_title, post_content, post_excerpt))';

/** The version of a post as the database has it now; null when it is not there. */
function version_of( $post_id ) {
	global $wpdb;
	return $wpdb->get_var( $wpdb->prepare( 'SELECT ' . VERSION_OF_ROW . " FROM {$wpdb->posts} WHERE ID = %d", $post_id ) ); // phpcs:ignore WordPress.DB
}

/**
 * 200 with the post, or 412 when it is not in the version that the caller saw: then nothing at all was written. WordPress's
 * own route does the work, so that its permissions, checks, filters and revisions hold.
 */
function update( \WP_REST_Request $request ) {
	$place   = $request->get_url_params(); // a field of the content may have one of these names
	$asked   = $request->get_query_params();
	$base    = $place['base'];
	$post_id = (int) $place['id'];
	$type    = type_of( $base );
	if ( null === $type || 'attachment' === $type ) {
		return new \WP_Error( 'once_no_type', 'There is no such type of content.', array( 'status' => 404 ) );
	}
	$replacement = new Replacement( $post_id, isset( $asked['version'] ) ? (string) $asked['version'] : '' );
	$inner       = new \WP_REST_Request( 'POST', "/wp/v2/$base/$post_id" );
	$said        = $request->get_json_params();
	$inner->set_header( 'Content-Type', 'application/json' );
	$inner->set_body( wp_json_encode( (object) array_diff_key( is_array( $said ) ? $said : array(), array_flip( NOT_UPDATED ) ) ) );
	$response = $replacement->around(
		function () use ( $inner ) {
			return rest_do_request( $inner );
		}
	);
	if ( 'changed' === $replacement->outcome() ) {
		return new \WP_Error( 'once_changed', 'The post has been changed since.', array( 'status' => 412 ) );
	}
	if ( ! $response->is_error() && 'saved' !== $replacement->outcome() ) {
		// another plugin saved it by a statement of its own
		return new \WP_Error( 'once_not_compared', 'The post was saved without a comparison.', array( 'status' => 500 ) );
	}
	return $response;
}
