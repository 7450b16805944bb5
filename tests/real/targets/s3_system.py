"""A bucket of Ceph's gateway: as it comes, and one that keeps versions."""

from __future__ import annotations

import contextlib
import http.client
import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from botocore.exceptions import ClientError

from once_delivery.targets.base import Connection, Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.ceph import CephServer
from tests.real.targets.system import Account, Held

FOLDERS = {Kind.CREATE_DRAFT: "drafts/", Kind.UPLOAD_FILE: "files/"}
ALLOWED = (
    "s3:PutObject", "s3:GetObject", "s3:DeleteObject", "s3:DeleteObjectVersion", "s3:ListBucket", "s3:ListBucketVersions",
    "s3:ListBucketMultipartUploads", "s3:AbortMultipartUpload", "s3:GetBucketVersioning",
)  # fmt: skip
DENIED = ("s3:PutObjectAcl", "s3:PutObjectVersionAcl", "s3:PutBucketAcl", "s3:PutBucketPolicy")


def make_bucket(server: CephServer, *, versioned: bool) -> str:
    """A new bucket of its owner's, in which the account of deliveries may store and read, and give nothing away."""
    name = f"content-{uuid.uuid4().hex[:8]}"
    owner = server.client("owner")
    owner.create_bucket(Bucket=name)
    if versioned:
        owner.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    everything = [f"arn:aws:s3:::{name}", f"arn:aws:s3:::{name}/*"]

    def rule(effect: str, user: str, actions: Any) -> dict[str, Any]:
        who = {"AWS": [f"arn:aws:iam:::user/{user}"]}
        return {"Effect": effect, "Principal": who, "Action": actions, "Resource": everything}

    rules = [
        # what somebody else has stored is not the owner's to read by itself
        rule("Allow", "owner", "s3:*"),
        rule("Allow", "delivery", list(ALLOWED)),
        rule("Deny", "delivery", list(DENIED)),
        rule("Allow", "writer", ["s3:PutObject", "s3:GetObject"]),
    ]
    owner.put_bucket_policy(Bucket=name, Policy=json.dumps({"Version": "2012-10-17", "Statement": rules}))
    # A copy and a grant in a header get past the denial of access lists in Ceph 16, so these are made to mean nothing.
    # Its other three blocks cannot be used: they take every policy for a public one, and refuse all writes.
    block = {"BlockPublicAcls": False, "BlockPublicPolicy": False, "RestrictPublicBuckets": False}
    owner.put_public_access_block(
        Bucket=name, PublicAccessBlockConfiguration={**block, "IgnorePublicAcls": True}
    )
    return name


class S3System:
    """See :class:`tests.real.targets.system.RealSystem`."""

    kind = "s3"
    kinds: tuple[Kind, ...] = (Kind.CREATE_DRAFT, Kind.UPLOAD_FILE)
    marker_survives_rename = True  # it stands in the key, which nobody can change
    sees_its_limits = True

    def __init__(self, server: CephServer, bucket: str, *, versioned: bool = False) -> None:
        self.server = server
        self.bucket = bucket
        self.has_trash = versioned
        # Ceph 16 lets every conditional write through where versions are kept
        self.guard = Guard.LOOKUP if versioned else Guard.CLIENT_ID
        self.people = server.client("owner")
        self.declaration: dict[str, Any] = {
            "bucket": bucket,
            "etag_quotes": False,
            # a plain listing does where no versions are kept
            "versions": versioned,
        }
        if versioned:
            keys = {
                "create_draft": "drafts/{marker}/{sha256}.json",
                "upload_file": "files/{marker}/{sha256}/{name}",
            }
            self.declaration |= {"conditional": False, "keys": keys}

    def connection(self, *, base_url: str = "", account: Account = Account.DELIVERY) -> Connection:
        name = "outsider" if account == Account.BLIND else "delivery"
        secret = "never given out" if account == Account.NOBODY else self.server.secrets[name]
        through = {"signed_host": urlsplit(self.server.base_url).netloc} if base_url else {}
        return Connection(
            base_url or self.server.base_url,
            {**self.declaration, **through},
            {"access_key": name, "secret_key": secret},
            allow_inside=True,
        )

    def payload(self, kind: Kind, title: str) -> dict[str, Any]:
        if kind == Kind.UPLOAD_FILE:
            return {"alt": title}
        return {
            "title": title,
            "body": f"<p>{title} <b>wichtig</b></p>",
            "locale": "de-DE",
            "product": "kettle",
        }

    def held(self, kind: Kind, marker: str) -> list[Held]:
        listed = self.people.list_objects_v2(Bucket=self.bucket, Prefix=FOLDERS[kind]).get("Contents", [])
        return [self._held(one["Key"]) for one in listed if marker in one["Key"]]

    def _held(self, key: str) -> Held:
        data = self.people.get_object(Bucket=self.bucket, Key=key)["Body"].read()
        title = json.loads(data)["title"] if key.endswith(".json") else ""
        return Held(key, title, live=self.everybody_can_read(key))

    def everybody_can_read(self, key: str) -> bool:
        """Asked without a signature."""
        connection = http.client.HTTPConnection(urlsplit(self.server.base_url).netloc, timeout=10)
        try:
            connection.request("GET", f"/{self.bucket}/{quote(key)}")
            return connection.getresponse().status == http.HTTPStatus.OK
        finally:
            connection.close()

    def rename(self, result_id: str) -> None:
        """A key cannot be changed. What comes next: a person's program stores it anew and leaves out our words."""
        where = {"Bucket": self.bucket, "Key": result_id}
        self.people.copy_object(
            **where, CopySource=where, MetadataDirective="REPLACE", Metadata={"edited": "yes"}
        )

    def edit(self, result_id: str, title: str) -> None:
        where = {"Bucket": self.bucket, "Key": result_id}
        now = self.people.get_object(**where)
        document = {**json.loads(now["Body"].read()), "title": title}
        self.people.put_object(**where, Body=json.dumps(document).encode(), Metadata=now["Metadata"])

    def trash(self, kind: Kind, result_id: str) -> None:
        assert kind in self.kinds
        self.people.delete_object(Bucket=self.bucket, Key=result_id)

    def delete(self, kind: Kind, result_id: str) -> None:
        assert kind in self.kinds
        found = self.people.list_object_versions(Bucket=self.bucket, Prefix=result_id)
        for one in [*found.get("Versions", []), *found.get("DeleteMarkers", [])]:
            self.people.delete_object(Bucket=self.bucket, Key=one["Key"], VersionId=one["VersionId"])

    def make_by_hand(self, title: str) -> str:
        key = f"drafts/{uuid.uuid4().hex[:12]}.txt"
        self.people.put_object(Bucket=self.bucket, Key=key, Body=title.encode())
        return key

    def publish_as_delivery(self, result_id: str) -> bool:
        delivery = self.server.client("delivery")
        where = {"Bucket": self.bucket, "Key": result_id}
        everybody = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject"}
        policy = {
            "Version": "2012-10-17",
            "Statement": [{**everybody, "Resource": f"arn:aws:s3:::{self.bucket}/*"}],
        }
        acts: list[Callable[[], Any]] = [
            lambda: delivery.put_object_acl(**where, ACL="public-read"),
            lambda: delivery.copy_object(**where, CopySource=where, MetadataDirective="REPLACE", ACL="public-read"),
            lambda: delivery.copy_object(
                **where, CopySource=where, MetadataDirective="REPLACE",
                GrantRead='uri="http://acs.amazonaws.com/groups/global/AllUsers"',
            ),
            lambda: delivery.put_bucket_acl(Bucket=self.bucket, ACL="public-read"),
            lambda: delivery.put_bucket_policy(Bucket=self.bucket, Policy=json.dumps(policy)),
        ]  # fmt: skip
        for act in acts:
            with contextlib.suppress(ClientError):
                act()
        return self.everybody_can_read(result_id)

    def publishing_payload(self) -> Mapping[str, Any]:
        return {"acl": "public-read", "x-amz-acl": "public-read", "status": "published"}

    def paused(self) -> contextlib.AbstractContextManager[None]:
        return self.server.gateway.paused()
