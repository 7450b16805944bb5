<?php
/**
 * The routes, below /wp-json/once/v1.
 *
 * @package OnceDelivery\Marker
 */

namespace OnceDelivery\Marker;

// lower case and with a letter or digit at both ends: the same text as a slug, as a file's name and in the index
const MARKER = '(?P<marker>[a-z0-9][a-z0-9-]{4,180}[a-z0-9])';

function register() {
	$writes = function () {
		return current_user_can( 'edit_posts' );
	};
	register_rest_route( 'once/v1', '/status', array( 'methods' => 'GET', 'callback' => __NAMESPACE__ . '\\status', 'permission_callback' => $writes ) );
	register_rest_route(
		'once/v1',
		'/objects/(?P<base>[a-z0-9_-]+)/' . MARKER,
		array(
			// POST for the sites whose firewall lets no PUT through
			'methods'             => 'PUT, POST',
			'callback'            => __NAMESPACE__ . '\\create',
			'permission_callback' => $writes,
		)
	);
	register_rest_route(
		'once/v1',
		'/updates/(?P<base>[a-z0-9_-]+)/(?P<id>[0-9]+)',
		array(
			'methods'             => 'PUT, POST',
			'callback'            => __NAMESPACE__ . '\\update',
			'permission_callback' => $writes,
			'args'                => array( 'version' => array( 'type' => 'string', 'required' => true, 'minLength' => 1 ) ),
		)
	);
	register_rest_route( 'once/v1', '/markers/' . MARKER, array( 'methods' => 'GET', 'callback' => __NAMESPACE__ . '\\look_up', 'permission_callback' => $writes ) );
	register_rest_route(
		'once/v1',
		'/markers',
		array(
			'methods'             => 'GET',
			'callback'            => __NAMESPACE__ . '\\look_over',
			'permission_callback' => $writes,
			'args'                => array(
				'type'  => array( 'type' => 'string', 'required' => true ),
				'after' => array( 'type' => 'integer', 'minimum' => 0, 'default' => 0 ),
			),
		)
	);
	foreach ( get_post_types( array( 'show_in_rest' => true ) ) as $type ) {
		register_rest_field(
			$type,
			'once_marker',
			array(
				'get_callback' => function ( $post ) {
					return marker_of( $post['id'] );
				},
				'schema'       => array( 'type' => array( 'string', 'null' ), 'readonly' => true, 'context' => array( 'view', 'edit' ) ),
			)
		);
		register_rest_field(
			$type,
			'once_version',
			array(
				'get_callback' => function ( $post ) {
					return version_of( $post['id'] );
				},
				'schema'       => array( 'type' => array( 'string', 'null' ), 'readonly' => true, 'context' => array( 'edit' ) ),
			)
		);
	}
}
