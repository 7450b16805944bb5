DROP TRIGGER once_asset_changes ON review_asset;
DROP FUNCTION once_asset_changes();
DROP TRIGGER once_no_truncate ON review_review;
DROP TRIGGER once_append_only ON review_comment;
DROP TRIGGER once_append_only ON review_review;
