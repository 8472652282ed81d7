internal import COpenSSL
internal import Certificates

/// A library context of its own in which outdated ciphers work, where the system has OpenSSL's legacy provider. Nothing
/// outside it changes.
///
/// Used by one call, on one thread, and freed with it.
@safe final class OutdatedCiphers {
  let context: OpaquePointer
  /// Whether the legacy provider is there. 3DES works without it.
  let hasLegacyProvider: Bool
  private let providers: [OpaquePointer]

  init() throws(ContainerError) {
    guard let context = unsafe OSSL_LIB_CTX_new() else {
      throw ContainerError(.library, "OpenSSL could not prepare for outdated ciphers.", cause: LibraryError.take())
    }
    unsafe self.context = context
    let ordinary = unsafe OSSL_PROVIDER_load(context, "default")
    let legacy = unsafe OSSL_PROVIDER_load(context, "legacy")
    ERR_clear_error()
    hasLegacyProvider = unsafe legacy != nil
    unsafe providers = [ordinary, legacy].compactMap { unsafe $0 }
  }

  deinit {
    unsafe providers.forEach { _ = unsafe OSSL_PROVIDER_unload($0) }
    unsafe OSSL_LIB_CTX_free(context)
  }
}
