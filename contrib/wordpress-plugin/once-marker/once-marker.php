<?php
/**
 * Plugin Name:       ONCE marker
 * Description:       One post or file for one marker, guaranteed by the database: create by marker (asked twice, made once), look up by marker, and update only what nobody has changed.
 * Version:           1.1.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/old-licenses/gpl-2.0.html
 *
 * This program is free software; you can redistribute it and/or modify it under the terms of the GNU General Public
 * License as published by the Free Software Foundation; either version 2 of the License, or (at your option) any later
 * version. It is distributed without any warranty; see the license for details.
 */

namespace OnceDelivery\Marker;

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

const VERSION = '1.1.0';
const API     = 2; // what the routes promise; ONCE asks for it
const PREFIX  = 'urn:once:';

require_once __DIR__ . '/includes/schema.php';
require_once __DIR__ . '/includes/class-insertion.php';
require_once __DIR__ . '/includes/create.php';
require_once __DIR__ . '/includes/look-up.php';
require_once __DIR__ . '/includes/class-replacement.php';
require_once __DIR__ . '/includes/update.php';
require_once __DIR__ . '/includes/routes.php';

register_activation_hook( __FILE__, __NAMESPACE__ . '\\add_column' );
add_action( 'rest_api_init', __NAMESPACE__ . '\\register' );
