<?php
/**
 * The insert that is to carry a marker.
 *
 * @package OnceDelivery\Marker
 */

namespace OnceDelivery\Marker;

/** Hooks itself into one insert of one post type, and remembers the file that was stored for it. */
final class Insertion {
	/** @var string */
	private $marker;
	/** @var string */
	private $type;
	/** @var bool Other posts that plugins make on the way are not ours. */
	private $used = false;
	/** @var string|null */
	private $file = null;

	public function __construct( $marker, $type ) {
		$this->marker = $marker;
		$this->type   = $type;
	}

	/** Does what $insert does, with the marker in it. */
	public function around( callable $insert ) {
		// last, so that no other filter takes it out again
		add_filter( 'wp_insert_post_data', array( $this, 'mark' ), PHP_INT_MAX, 4 );
		add_filter( 'wp_insert_attachment_data', array( $this, 'mark' ), PHP_INT_MAX, 4 );
		add_filter( 'wp_unique_filename', array( $this, 'name_file' ), PHP_INT_MAX, 2 );
		add_filter( 'wp_handle_upload', array( $this, 'note_file' ), PHP_INT_MAX );
		try {
			return $insert();
		} finally {
			remove_filter( 'wp_insert_post_data', array( $this, 'mark' ), PHP_INT_MAX );
			remove_filter( 'wp_insert_attachment_data', array( $this, 'mark' ), PHP_INT_MAX );
			remove_filter( 'wp_unique_filename', array( $this, 'name_file' ), PHP_INT_MAX );
			remove_filter( 'wp_handle_upload', array( $this, 'note_file' ), PHP_INT_MAX );
		}
	}

	public function mark( $data, $postarr, $unsanitized, $update ) {
		if ( ! $this->used && ! $update && $data['post_type'] === $this->type ) {
			$this->used   = true;
			$data['guid'] = PREFIX . $this->marker;
		}
		return $data;
	}

	/** WordPress chooses names in a way that two uploads at once can share one file; the loser here deletes its own. */
	public function name_file( $name, $extension ) {
		$extension = pathinfo( $name, PATHINFO_EXTENSION );
		return $this->marker . '-' . bin2hex( random_bytes( 6 ) ) . ( '' === $extension ? '' : ".$extension" );
	}

	public function note_file( $upload ) {
		$this->file = $upload['file'];
		return $upload;
	}

	/** The insert did not happen: nothing refers to its file. */
	public function delete_file() {
		if ( null !== $this->file && is_file( $this->file ) ) {
			wp_delete_file( $this->file );
		}
	}
}
