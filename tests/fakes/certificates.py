"""A certificate authority for one test."""

from __future__ import annotations

import datetime
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """Signs server certificates; ``client_context`` trusts it and nobody else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test authority")])
        self._certificate = self._sign(self._name, self._key.public_key(), None)
        self._path = folder / "authority.pem"
        self._path.write_bytes(self._certificate.public_bytes(serialization.Encoding.PEM))

    def client_context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self._path))

    def server_context(self, *hosts: str) -> ssl.SSLContext:
        """For a server with a certificate for ``hosts``."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts])
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0])])
        certificate = self._sign(subject, key.public_key(), names)
        path = self._folder / f"{hosts[0]}.pem"
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def _sign(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey, names: x509.SubjectAlternativeName | None
    ) -> x509.Certificate:
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=names is None, path_length=None), critical=True)
        )
        if names is not None:
            builder = builder.add_extension(names, critical=False)
        return builder.sign(self._key, hashes.SHA256())
