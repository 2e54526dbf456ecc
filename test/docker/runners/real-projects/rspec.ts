import type { RealProject } from './real-project.ts';

export const rspecProject: RealProject = {
  runner: 'rspec',
  name: 'slug: blanks in a row become one hyphen',
  files: () => ({
    '.rspec': '--require spec_helper\n',
    'lib/slug.rb': `module Slug
  def self.of(title)
    title.downcase.gsub(/[^a-z0-9]/, "-")
  end
end
`,
    'spec/spec_helper.rb':
      'RSpec.configure do |config|\n  config.disable_monkey_patching!\n  config.order = :random\nend\n',
    'spec/slug_spec.rb':
      'require "slug"\n\nRSpec.describe Slug do\n  it("is small") { expect(described_class.of("A b")).to eq("a-b") }\nend\n',
  }),
  test: {
    path: 'spec/blanks_spec.rb',
    content: `require "slug"

RSpec.describe Slug do
  describe ".of" do
    { "Two  words" => "two-words", "One, two; three" => "one-two-three" }.each do |title, slug|
      it("makes #{slug}") { expect(described_class.of(title)).to eq(slug) }
    end
  end
end
`,
  },
  fix: { path: 'lib/slug.rb', old_string: '/[^a-z0-9]/', new_string: '/[^a-z0-9]+/' },
  cases: ['Slug > .of > makes two-words', 'Slug > .of > makes one-two-three'],
  forHuman: [],
};
