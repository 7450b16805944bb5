<?php
/**
 * Plugin Name: Faults that a test asks for: a file named after the point, with "sleep:SECONDS" or "die" in it.
 * The request that comes by first takes the file and does it.
 */
function once_test_fault( $point ) {
	$asked = WP_CONTENT_DIR . "/faults/$point";
	$taken = $asked . '.' . getmypid();
	if ( ! @rename( $asked, $taken ) ) {
		return;
	}
	list( $what, $seconds ) = array_pad( explode( ':', file_get_contents( $taken ) ), 2, '0' );
	unlink( $taken );
	if ( 'sleep' === $what ) {
		usleep( (int) ( 1000000 * (float) $seconds ) );
	}
	if ( 'die' === $what ) {
		posix_kill( getmypid(), 9 ); // the worker ends, nginx answers 502
	}
}
// "before": all checks are over and the row is not there yet; "after": the row is there, its meta and the answer are not
foreach ( array( 'wp_insert_post_data', 'wp_insert_attachment_data' ) as $once_test_hook ) {
	add_filter(
		$once_test_hook,
		function ( $data ) {
			if ( in_array( $data['post_type'], array( 'post', 'attachment' ), true ) ) {
				once_test_fault( 'before' );
			}
			return $data;
		}
	);
}
foreach ( array( 'rest_insert_post', 'rest_insert_attachment' ) as $once_test_hook ) {
	add_action(
		$once_test_hook,
		function () {
			once_test_fault( 'after' );
		}
	);
}
