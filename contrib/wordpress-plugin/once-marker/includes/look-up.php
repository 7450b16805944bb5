<?php
/**
 * Look up by marker. The answer does not depend on who wrote the post, on its status (trash included), its slug or its
 * title, and tells whoever may write posts here that an object is there even where its content may not be read.
 *
 * @package OnceDelivery\Marker
 */

namespace OnceDelivery\Marker;

const PER_PAGE = 100;

function look_up( \WP_REST_Request $request ) {
	if ( ! is_ready() ) {
		return new \WP_Error( 'once_not_ready', 'The unique index is missing: activate the plugin again.', array( 'status' => 422 ) );
	}
	$marker = $request['marker'];
	$there  = find( $marker );
	return array(
		'marker'  => $marker,
		'objects' => $there ? array( shown( $marker, get_post( $there ) ) ) : array(),
	);
}

/** Everything that carries a marker, by ID; "after" is the last ID of the page before. */
function look_over( \WP_REST_Request $request ) {
	global $wpdb;
	if ( ! is_ready() ) {
		return new \WP_Error( 'once_not_ready', 'The unique index is missing: activate the plugin again.', array( 'status' => 422 ) );
	}
	$type = type_of( $request['type'] );
	// phpcs:ignore WordPress.DB
	$rows = $wpdb->get_results(
		$wpdb->prepare(
			"SELECT ID, once_marker FROM {$wpdb->posts} WHERE ID > %d AND post_type = %s AND once_marker IS NOT NULL ORDER BY ID LIMIT %d",
			$request['after'],
			(string) $type,
			PER_PAGE
		)
	);
	$found = array();
	foreach ( $rows as $row ) {
		$post = get_post( (int) $row->ID );
		if ( $post ) {
			$found[] = shown( $row->once_marker, $post );
		}
	}
	$last = end( $rows );
	return array(
		'objects' => $found,
		'next'    => count( $rows ) === PER_PAGE ? (int) $last->ID : null,
	);
}

/** What is told of an object. The title only to those who may read it. */
function shown( $marker, \WP_Post $post ) {
	$readable = current_user_can( 'read_post', $post->ID );
	return array(
		'id'           => $post->ID,
		'once_marker'  => $marker,
		'type'         => $post->post_type,
		'status'       => $post->post_status,
		'slug'         => $post->post_name,
		'date_gmt'     => moment( $post->post_date_gmt, $post->post_date ),
		'modified_gmt' => moment( $post->post_modified_gmt, $post->post_modified ),
		'link'         => $readable ? (string) get_permalink( $post ) : '',
		'source_url'   => 'attachment' === $post->post_type ? (string) wp_get_attachment_url( $post->ID ) : '',
		'title'        => array( 'raw' => $readable ? $post->post_title : '' ),
	);
}

/** Drafts have no time in UTC of their own. */
function moment( $utc, $local ) {
	return mysql_to_rfc3339( '0000-00-00 00:00:00' === $utc ? get_gmt_from_date( $local ) : $utc );
}

function status() {
	return array(
		'version'            => VERSION,
		'api'                => API,
		'ready'              => is_ready(),
		'wordpress'          => get_bloginfo( 'version' ),
		'max_upload_bytes'   => wp_max_upload_size(),
		'max_execution_time' => (int) ini_get( 'max_execution_time' ),
	);
}
