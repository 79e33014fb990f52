#ifndef STICKERPIT_CERTIFICATE_H
#define STICKERPIT_CERTIFICATE_H
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Adds an extension by its text; 0 if OpenSSL refuses it.
static inline int stickerpit_extend(X509 *certificate, int kind, const char *text) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, 0, 0, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(0, &context, kind, text);
  int done = extension && X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return done;
}

// Fills in a certificate for a key that vouches for itself; 0 if OpenSSL fails.
static inline int stickerpit_fill_certificate(
    X509 *certificate, EVP_PKEY *key, const char *common_name, const char *names, int days) {
  unsigned char serial[16];
  // RFC 5280, 4.1.2.2: a positive number of at most 20 bytes.
  if (RAND_bytes(serial, sizeof serial) != 1) return 0;
  serial[0] = (serial[0] & 0x3f) | 0x40;
  BIGNUM *number = BN_bin2bn(serial, sizeof serial, 0);
  int done = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != 0;
  BN_free(number);
  X509_NAME *subject = X509_get_subject_name(certificate);
  return done && X509_set_version(certificate, 2) &&
         // An hour back, for phones whose clock is slow.
         X509_gmtime_adj(X509_getm_notBefore(certificate), -3600) &&
         X509_gmtime_adj(X509_getm_notAfter(certificate), 86400L * days) &&
         X509_set_pubkey(certificate, key) &&
         X509_NAME_add_entry_by_txt(
             subject, "CN", MBSTRING_UTF8, (const unsigned char *)common_name, -1, -1, 0) &&
         X509_set_issuer_name(certificate, subject) &&
         stickerpit_extend(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
         stickerpit_extend(certificate, NID_ext_key_usage, "serverAuth") &&
         stickerpit_extend(certificate, NID_subject_alt_name, names) &&
         X509_sign(certificate, key, EVP_sha256()) > 0;
}

// A new key on the curve P-256, and its certificate for `names` (such as "DNS:one,IP:10.0.0.1"), as
// PEM. The caller frees what it gets by BIO_free; 0 if OpenSSL fails.
static inline int stickerpit_make_certificate(
    const char *common_name, const char *names, int days, BIO **key_text, BIO **certificate_text) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();
  BIO *first = BIO_new(BIO_s_mem());
  BIO *second = BIO_new(BIO_s_mem());
  int done = key && certificate && first && second &&
             stickerpit_fill_certificate(certificate, key, common_name, names, days) &&
             PEM_write_bio_PrivateKey(first, key, 0, 0, 0, 0, 0) &&
             PEM_write_bio_X509(second, certificate);
  X509_free(certificate);
  EVP_PKEY_free(key);
  if (!done) {
    BIO_free(first);
    BIO_free(second);
    return 0;
  }
  *key_text = first;
  *certificate_text = second;
  return 1;
}

// What a BIO in memory holds; it stays the BIO's.
static inline long stickerpit_text(BIO *text, const char **start) {
  return BIO_get_mem_data(text, (char **)start);
}

// Whether a certificate still counts at a time, in seconds since 1970.
static inline int stickerpit_counts_until(X509 *certificate, time_t time) {
  return X509_cmp_time(X509_get0_notAfter(certificate), &time) > 0;
}
#endif
