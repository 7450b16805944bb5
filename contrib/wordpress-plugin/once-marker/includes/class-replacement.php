<?php
/**
 * The update that is for one version alone.
 *
 * @package OnceDelivery\Marker
 */

namespace OnceDelivery\Marker;

/** Puts the comparison of versions into the very statement by which WordPress saves the post. */
final class Replacement {
	/** @var int */
	private $post_id;
	/** @var string */
	private $version;
	/** @var bool From WordPress's "now I save" to the statement. */
	private $armed = false;
	/** @var string "": no statement was seen; saved, changed or failed */
	private $outcome = '';

	public function __construct( $post_id, $version ) {
		$this->post_id = $post_id;
		$this->version = $version;
	}

	/** Does what $update does, with the comparison in it. */
	public function around( callable $update ) {
		// last, so that statements of other plugins have passed
		add_action( 'pre_post_update', array( $this, 'arm' ), PHP_INT_MAX );
		add_filter( 'query', array( $this, 'compare' ), PHP_INT_MAX );
		try {
			return $update();
		} finally {
			remove_action( 'pre_post_update', array( $this, 'arm' ), PHP_INT_MAX );
			remove_filter( 'query', array( $this, 'compare' ), PHP_INT_MAX );
		}
	}

	public function arm( $post_id ) {
		$this->armed = '' === $this->outcome && (int) $post_id === $this->post_id;
	}

	/**
	 * Sends the statement with the comparison in place of the plain one. An empty string makes WordPress take the update for
	 * failed and stop before it writes fields, terms and revisions.
	 */
	public function compare( $query ) {
		global $wpdb;
		if ( ! $this->armed || ! $this->saves( $query ) ) {
			return $query;
		}
		$this->armed = false;
		// phpcs:ignore WordPress.DB -- WordPress's own statement, with one more condition
		$rows = $wpdb->query( $query . $wpdb->prepare( ' AND ' . VERSION_OF_ROW . ' = %s', $this->version ) );
		if ( false === $rows ) {
			$this->outcome = 'failed';
		} elseif ( $rows > 0 || version_of( $this->post_id ) === $this->version ) {
			$this->outcome = 'saved'; // no row: the same words within the same second
		} else {
			$this->outcome = 'changed';
		}
		return 'saved' === $this->outcome ? 'SELECT 1' : '';
	}

	public function outcome() {
		return $this->outcome;
	}

	private function saves( $query ) {
		global $wpdb;
		$end = " WHERE `ID` = {$this->post_id}";
		return 0 === strpos( $query, "UPDATE `{$wpdb->posts}` SET " ) && substr( $query, -strlen( $end ) ) === $end;
	}
}
