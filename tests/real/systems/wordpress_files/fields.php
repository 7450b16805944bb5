<?php
/** Plugin Name: What a site registers so that programs may write it: the marker, and a field with a limit. */
add_action(
	'init',
	function () {
		$may = function () {
			return current_user_can( 'edit_posts' );
		};
		foreach ( array( 'post', 'attachment' ) as $type ) {
			register_post_meta( $type, 'once_ref', array( 'type' => 'string', 'single' => true, 'show_in_rest' => true, 'auth_callback' => $may ) );
		}
		$schema = array( 'schema' => array( 'type' => 'string', 'maxLength' => 10 ) );
		register_post_meta( 'post', 'subtitle', array( 'type' => 'string', 'single' => true, 'show_in_rest' => $schema, 'auth_callback' => $may ) );
		register_post_meta( 'post', 'guarded', array( 'type' => 'string', 'single' => true, 'show_in_rest' => true, 'auth_callback' => '__return_false' ) );
	}
);
