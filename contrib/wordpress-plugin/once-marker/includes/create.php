<?php
/**
 * Create by marker.
 *
 * @package OnceDelivery\Marker
 */

namespace OnceDelivery\Marker;

/** What a caller may say of a file; the rest of a media item is not its business. */
const FILE_FIELDS = array( 'title', 'alt_text', 'caption', 'description', 'meta' );

/**
 * 201 with the new object, or 200 with what carries the marker already, which stays as it is. WordPress's own route does
 * the work, so that its permissions, checks and filters hold.
 */
function create( \WP_REST_Request $request ) {
	$place  = $request->get_url_params(); // a field of the content may have one of these names
	$base   = $place['base'];
	$marker = $place['marker'];
	$type   = type_of( $base );
	if ( null === $type ) {
		return new \WP_Error( 'once_no_type', 'There is no such type of content.', array( 'status' => 404 ) );
	}
	if ( ! is_ready() ) {
		return new \WP_Error( 'once_not_ready', 'The unique index is missing: activate the plugin again.', array( 'status' => 422 ) );
	}
	$there = find( $marker );
	if ( $there ) {
		return existing( $marker, $there );
	}
	$inner     = 'attachment' === $type ? upload_request( $request, $marker ) : post_request( $request, $base, $marker );
	$insertion = new Insertion( $marker, $type );
	$response  = $insertion->around(
		function () use ( $inner ) {
			return rest_do_request( $inner );
		}
	);
	if ( $response->is_error() ) {
		return failed( $response, $insertion, $marker );
	}
	$made = $response->get_data();
	if ( find( $marker ) !== (int) $made['id'] ) {
		// another plugin took the marker out of the insert
		return new \WP_Error( 'once_marker_lost', 'The post was made without its marker.', array( 'status' => 500, 'id' => $made['id'] ) );
	}
	$response->set_data( array_merge( $made, array( 'once_marker' => $marker, 'once_created' => true ) ) );
	return $response;
}

/** The loser of a race is told who won; any other error is passed on as it is. */
function failed( \WP_REST_Response $response, Insertion $insertion, $marker ) {
	$error = $response->as_error();
	$there = find( $marker );
	$lost  = 'db_insert_error' === $error->get_error_code();
	if ( ! $there || $lost ) {
		$insertion->delete_file();
	}
	return $there && $lost ? existing( $marker, $there ) : $response;
}

function existing( $marker, $post_id ) {
	return new \WP_REST_Response( array_merge( shown( $marker, get_post( $post_id ) ), array( 'once_created' => false ) ), 200 );
}

/** A draft, whatever the caller says. */
function post_request( \WP_REST_Request $request, $base, $marker ) {
	$said = $request->get_json_params();
	$said = array_diff_key( is_array( $said ) ? $said : array(), array_flip( array( 'id', 'date', 'date_gmt', 'password' ) ) );
	$inner = new \WP_REST_Request( 'POST', "/wp/v2/$base" );
	$inner->set_header( 'Content-Type', 'application/json' );
	$inner->set_body( wp_json_encode( array_merge( $said, array( 'status' => 'draft', 'slug' => $marker ) ) ) );
	return $inner;
}

function upload_request( \WP_REST_Request $request, $marker ) {
	$inner = new \WP_REST_Request( 'POST', '/wp/v2/media' );
	foreach ( array( 'content_type', 'content_disposition', 'content_md5' ) as $name ) {
		if ( null !== $request->get_header( $name ) ) {
			$inner->set_header( $name, $request->get_header( $name ) );
		}
	}
	$inner->set_body( $request->get_body() );
	$said = array_intersect_key( $request->get_query_params(), array_flip( FILE_FIELDS ) );
	$inner->set_query_params( array_merge( $said, array( 'slug' => $marker ) ) );
	return $inner;
}

/** The post type behind "posts", "media" or a type of the site's own; null for what WordPress's own route does not make. */
function type_of( $base ) {
	foreach ( get_post_types( array( 'show_in_rest' => true ), 'objects' ) as $type ) {
		$own = isset( $type->rest_namespace ) && $type->rest_namespace ? $type->rest_namespace : 'wp/v2';
		if ( 'wp/v2' === $own && ( $type->rest_base ? $type->rest_base : $type->name ) === $base ) {
			return $type->name;
		}
	}
	return null;
}
